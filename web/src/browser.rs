//! Access to browser APIs: date, time, focus, scrolling, local storage, files.

use std::time::Duration;

use crate::intl;
use crate::texts::Language;
use leptos::prelude::{
    document, request_animation_frame, set_timeout, window, window_event_listener_untyped,
};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Local storage key of the theme.
const THEME_KEY: &str = "wherefore-theme";
/// Local storage key of the person's id.
const PERSON_KEY: &str = "wherefore-person";

/// Local storage key of the density of rows.
const DENSITY_KEY: &str = "wherefore-density";
/// Id of the composer's text field.
const COMPOSER: &str = "composer-text";
/// Id of the thread of turns.
const THREAD: &str = "thread";

/// Time after which the browser has read a file that it saves.
const SAVED: Duration = Duration::from_mins(1);

/// Pixels of a PNG file for each CSS pixel.
const PNG_SCALE: f64 = 2.0;

/// Distance from the bottom of the thread that still counts as the bottom, in CSS pixels.
const END_MARGIN_PX: i32 = 48;

/// Local calendar date, `yyyy-mm-dd`.
pub fn today() -> String {
    let now = js_sys::Date::new_0();
    format!("{:04}-{:02}-{:02}", now.get_full_year(), now.get_month() + 1, now.get_date())
}

/// Local storage key of the chosen language.
const LANGUAGE_KEY: &str = "wherefore-language";

/// The chosen language, `en` or `de`; empty for that of the system.
pub fn stored_language() -> String {
    stored(LANGUAGE_KEY).filter(|tag| Language::of_tag(tag).is_some()).unwrap_or_default()
}

/// Stores a language, or an empty text for that of the system, and applies it.
pub fn choose_language(tag: &str) {
    store(LANGUAGE_KEY, tag);
    apply_language();
}

/// Applies the language of the address, the chosen one, or the first of the browser's that is supported.
pub fn apply_language() {
    let address = window().location().search().unwrap_or_default();
    let trial = address.trim_start_matches('?').split('&');
    let trial =
        trial.filter_map(|part| part.strip_prefix("language=")).find_map(Language::of_trial);
    let chosen = || Language::of_tag(&stored_language());
    let preferred = || {
        let tags = window().navigator().languages();
        tags.iter().filter_map(|tag| tag.as_string()).find_map(|tag| Language::of_tag(&tag))
    };
    let language = trial.or_else(chosen).or_else(preferred).unwrap_or(Language::English);
    language.choose();
    intl::locale(&locale_of(language)).choose();
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", language.tag());
        let _ = root.set_attribute("dir", language.direction());
    }
}

/// Tag of the locale of a language: that of the browser's which names a country, if there is one.
fn locale_of(language: Language) -> String {
    if matches!(language, Language::Pseudo | Language::RightToLeft) {
        return Language::English.tag().to_owned();
    }
    let tags = window().navigator().languages();
    let mut tags = tags.iter().filter_map(|tag| tag.as_string());
    let own = tags.find(|tag| Language::of_tag(tag) == Some(language));
    own.unwrap_or_else(|| language.tag().to_owned())
}

/// Milliseconds since the page was opened.
pub fn now_ms() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Milliseconds since 1970, by the clock of the browser's machine.
pub fn clock_ms() -> f64 {
    js_sys::Date::now()
}

/// Runs a function whenever the browser has a connection again.
pub fn when_online(run: impl Fn() + 'static) {
    // The listener lives as long as the page.
    let _ = window_event_listener_untyped("online", move |_| run());
}

/// Whether the browser has a connection, as far as it knows.
pub fn is_online() -> bool {
    window().navigator().on_line()
}

/// Whether an input method is composing the text of an input event.
pub fn is_composing(event: &web_sys::Event) -> bool {
    let composing = js_sys::Reflect::get(event, &"isComposing".into());
    composing.is_ok_and(|composing| composing.is_truthy())
}

/// Runs something once the next frame is painted.
pub fn after_paint(run: impl FnOnce() + 'static) {
    request_animation_frame(move || set_timeout(run, Duration::ZERO));
}

/// Focuses the element with this id after the next rendering.
pub fn focus(id: String) {
    request_animation_frame(move || {
        if let Some(element) = element(&id) {
            let _ = element.focus();
        }
    });
}

/// Scrolls to the element with this id after the next rendering.
pub fn reveal(id: String) {
    request_animation_frame(move || {
        if let Some(element) = element(&id) {
            element.scroll_into_view();
        }
    });
}

/// Tells all that depends on the width of the page, after the next rendering, that there is another width for it.
pub fn tell_resized() {
    request_animation_frame(|| {
        if let Ok(event) = web_sys::Event::new("resize") {
            let _ = window().dispatch_event(&event);
        }
    });
}

/// Scrolls the thread to where it is now, after the next rendering.
pub fn keep_place_of_thread() {
    let Some(place) = element(THREAD).map(|thread| thread.scroll_top()) else { return };
    request_animation_frame(move || {
        if let Some(thread) = element(THREAD) {
            thread.set_scroll_top(place);
        }
    });
}

/// Whether the thread is scrolled to its bottom, within a tolerance.
pub fn thread_is_at_end() -> bool {
    element(THREAD).is_none_or(|thread| {
        let below = thread.scroll_height() - thread.scroll_top() - thread.client_height();
        below < END_MARGIN_PX
    })
}

/// Whether the focused element is inside the element with this id, or nothing is focused.
pub fn focus_is_in_or_nowhere(id: &str) -> bool {
    let Some(active) = document().active_element() else { return true };
    active.tag_name() == "BODY"
        || document().get_element_by_id(id).is_some_and(|element| element.contains(Some(&active)))
}

/// Saves a text as a file in the folder of downloads.
pub fn save(name: &str, media_type: &str, text: &str) -> Result<(), JsValue> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&text.into());
    save_blob(name, &web_sys::Blob::new_with_str_sequence_and_options(&parts, &options)?)
}

/// Saves an SVG file as a PNG file of twice its size in CSS pixels.
pub async fn save_as_png(name: &str, svg: &str, size: (f64, f64)) -> Result<(), JsValue> {
    let image = web_sys::HtmlImageElement::new()?;
    let encoded: String = js_sys::encode_uri_component(svg).into();
    image.set_src(&format!("data:image/svg+xml,{encoded}"));
    JsFuture::from(image.decode()).await?;
    let canvas: web_sys::HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
    canvas.set_width((size.0 * PNG_SCALE) as u32);
    canvas.set_height((size.1 * PNG_SCALE) as u32);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: web_sys::CanvasRenderingContext2d = context.unchecked_into();
    let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)?;
    let blob = js_sys::Promise::new(&mut |resolve, reject| {
        if let Err(error) = canvas.to_blob(&resolve) {
            let _ = reject.call1(&JsValue::NULL, &error);
        }
    });
    // A canvas that is too large gives null instead of a blob.
    let blob: web_sys::Blob = JsFuture::from(blob).await?.dyn_into()?;
    save_blob(name, &blob)
}

/// Saves a blob as a file in the folder of downloads.
pub fn save_blob(name: &str, blob: &web_sys::Blob) -> Result<(), JsValue> {
    let url = web_sys::Url::create_object_url_with_blob(blob)?;
    let link: web_sys::HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    set_timeout(
        move || {
            let _ = web_sys::Url::revoke_object_url(&url);
        },
        SAVED,
    );
    Ok(())
}

/// Id under which the proxy stores this user's choices; a new one on each visit if the browser stores nothing.
pub fn person() -> String {
    if let Some(person) = stored(PERSON_KEY).filter(|person| person.len() == 32) {
        return person;
    }
    let person = random_id();
    store(PERSON_KEY, &person);
    person
}

/// A text from local storage.
pub fn stored(key: &str) -> Option<String> {
    window().local_storage().ok().flatten()?.get_item(key).ok().flatten()
}

/// Keeps a text in local storage, if the browser allows that.
pub fn store(key: &str, text: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.set_item(key, text);
    }
}

/// Events of a server, which end when this is dropped.
pub struct Events {
    source: web_sys::EventSource,
    /// Called by the browser.
    _listener: Closure<dyn Fn(web_sys::MessageEvent)>,
}

impl Drop for Events {
    fn drop(&mut self) {
        self.source.close();
    }
}

/// Calls a function with the data of each event of this name; `None` if the browser opens no stream.
pub fn listen(path: &str, name: &str, heard: impl Fn(&str) + 'static) -> Option<Events> {
    let source = web_sys::EventSource::new(path).ok()?;
    let listener =
        Closure::<dyn Fn(web_sys::MessageEvent)>::new(move |event: web_sys::MessageEvent| {
            if let Some(data) = event.data().as_string() {
                heard(&data);
            }
        });
    source.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref()).ok()?;
    Some(Events { source, _listener: listener })
}

/// A new id that cannot be guessed.
pub fn random_id() -> String {
    let mut bytes = [0_u8; 16];
    if let Ok(crypto) = window().crypto() {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    format!("{:032x}", u128::from_be_bytes(bytes))
}

/// Stored theme: `light`, `dark` or `auto`.
pub fn stored_theme() -> String {
    let theme = stored(THEME_KEY).filter(|theme| theme == "light" || theme == "dark");
    theme.unwrap_or_else(|| "auto".to_owned())
}

/// Applies a theme, and stores it if the browser allows that.
pub fn apply_theme(theme: &str) {
    apply("data-theme", THEME_KEY, theme);
}

/// Whether rows are close together.
pub fn is_compact() -> bool {
    stored(DENSITY_KEY).is_some_and(|density| density == "compact")
}

/// Sets whether rows are close together, and stores it if the browser allows that.
pub fn apply_density(is_compact: bool) {
    apply("data-density", DENSITY_KEY, if is_compact { "compact" } else { "normal" });
}

fn apply(attribute: &str, key: &str, value: &str) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute(attribute, value);
    }
    store(key, value);
}

/// Content of a `meta` element in the page's head; empty if there is none.
pub fn meta(name: &str) -> String {
    let found = document().query_selector(&format!("meta[name={name}]")).ok().flatten();
    found.and_then(|element| element.get_attribute("content")).unwrap_or_default()
}

/// Width of the page in CSS pixels.
pub fn page_width() -> f64 {
    window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or_default()
}

/// Position of the cursor in the composer, in UTF-16 code units; at its end if it has none.
pub fn composer_cursor() -> usize {
    let composer = element(COMPOSER).and_then(|element| element.dyn_into().ok());
    let start = composer.map(|composer: web_sys::HtmlTextAreaElement| composer.selection_start());
    start.and_then(Result::ok).flatten().map_or(usize::MAX, |start| start as usize)
}

/// Focuses the composer with its cursor at a position, after the next rendering.
pub fn focus_composer_at(position: usize) {
    request_animation_frame(move || {
        let composer = element(COMPOSER).and_then(|element| element.dyn_into().ok());
        let Some(composer): Option<web_sys::HtmlTextAreaElement> = composer else { return };
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        let _ = composer.focus();
        let _ = composer.set_selection_range(position, position);
    });
}

fn element(id: &str) -> Option<web_sys::HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}
