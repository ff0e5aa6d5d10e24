//! Loads the engine's Wasm module and its words, whose addresses the build writes into the page.

use gloo_net::http::Request;
use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::Refusal;
use super::bindings::{Script, import};
use crate::browser;
use crate::view_model::problem::ApiFailure;

/// The loaded module; a cheap handle.
#[derive(Clone, Debug)]
pub struct Module {
    pub(super) script: Script,
}

impl Module {
    /// Loads the module and its words; `attempt` counts the attempts of the page, from 0 on.
    pub async fn load(attempt: u32) -> Result<Self, ApiFailure> {
        // Both requests start now and run side by side.
        let (script, words) = futures_util::future::join(start(attempt), words(attempt)).await;
        let script = script.map_err(failure)?;
        let words = words.map_err(|error| ApiFailure::no_engine(&error))?;
        script.load_words(&words).map_err(failure)?;
        Ok(Self { script })
    }
}

async fn start(attempt: u32) -> Result<Script, JsValue> {
    let script: Script =
        JsFuture::from(import(&address("wherefore-engine", attempt))).await?.unchecked_into();
    let options = js_sys::Object::new();
    let wasm = address("wherefore-engine-wasm", attempt);
    Reflect::set(&options, &"module_or_path".into(), &wasm.into())?;
    JsFuture::from(script.start(&options)).await?;
    Ok(script)
}

async fn words(attempt: u32) -> Result<Vec<u8>, String> {
    let address = address("wherefore-words", attempt);
    let response = Request::get(&address).send().await.map_err(|error| error.to_string())?;
    if !response.ok() {
        return Err(format!("status {} for {address}", response.status()));
    }
    response.binary().await.map_err(|error| error.to_string())
}

/// Address in the page's head; later attempts have another one, since some browsers keep a failed import.
fn address(name: &str, attempt: u32) -> String {
    let address = browser::meta(name);
    if attempt == 0 { address } else { format!("{address}?attempt={attempt}") }
}

fn failure(error: JsValue) -> ApiFailure {
    ApiFailure::no_engine(&Refusal::from(error).message)
}
