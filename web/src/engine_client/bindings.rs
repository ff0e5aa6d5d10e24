//! Declarations of the JavaScript that wasm-bindgen generates for the engine's Wasm module (`pkg/src`).

use js_sys::Promise;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// JavaScript's `import()`.
    #[wasm_bindgen(js_name = import)]
    pub(super) fn import(address: &str) -> Promise;

    /// The imported script.
    #[derive(Clone, Debug)]
    pub(super) type Script;

    /// Loads and starts the Wasm module.
    #[wasm_bindgen(method, js_name = default)]
    pub(super) fn start(this: &Script, options: &JsValue) -> Promise;

    #[wasm_bindgen(method, catch, js_name = loadWords)]
    pub(super) fn load_words(this: &Script, file: &[u8]) -> Result<(), JsValue>;

    #[wasm_bindgen(method, getter, js_name = Engine)]
    pub(super) fn engine_class(this: &Script) -> EngineClass;

    #[wasm_bindgen(method, getter, js_name = Session)]
    pub(super) fn session_class(this: &Script) -> SessionClass;

    pub(super) type EngineClass;

    #[wasm_bindgen(method, catch)]
    pub(super) fn create(this: &EngineClass, knowledge: &str) -> Result<RawEngine, JsValue>;

    pub(super) type SessionClass;

    #[wasm_bindgen(method, catch)]
    pub(super) fn started(this: &SessionClass, start: &str) -> Result<RawSession, JsValue>;

    /// An engine inside the module.
    #[derive(Debug)]
    pub(super) type RawEngine;

    #[wasm_bindgen(method, catch)]
    pub(super) fn catalog(this: &RawEngine) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch, js_name = completionsInBytes)]
    pub(super) fn completions(
        this: &RawEngine,
        text: &str,
        cursor: u32,
        today: &str,
        context: Option<&str>,
    ) -> Result<String, JsValue>;

    #[wasm_bindgen(method)]
    pub(super) fn free(this: &RawEngine);

    #[wasm_bindgen(method, catch, js_name = previewInBytes)]
    pub(super) fn preview(
        this: &RawEngine,
        text: &str,
        today: &str,
        context: Option<&str>,
    ) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch, js_name = withSettings)]
    pub(super) fn with_settings(this: &RawEngine, settings: &str) -> Result<RawEngine, JsValue>;

    /// A session inside the module.
    #[derive(Debug)]
    pub(super) type RawSession;

    #[wasm_bindgen(method, catch)]
    pub(super) fn context(this: &RawSession) -> Result<Option<String>, JsValue>;

    #[wasm_bindgen(method, js_name = free)]
    pub(super) fn free_session(this: &RawSession);

    #[wasm_bindgen(method, catch)]
    pub(super) fn remembered(
        this: &RawSession,
        engine: &RawEngine,
        memory: &str,
        today: &str,
    ) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch)]
    pub(super) fn step(
        this: &RawSession,
        engine: &RawEngine,
        event: &str,
    ) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch, js_name = viewInBytes)]
    pub(super) fn view(this: &RawSession) -> Result<String, JsValue>;
}
