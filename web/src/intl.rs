//! Reads from the browser's `Intl` how a locale writes numbers and dates.
//!
//! A result can have a million numbers, so `Intl` formats a few samples, and the separators are read from these.

use js_sys::{Array, Date, Intl, Object, Reflect};
use wasm_bindgen::JsValue;

use crate::view_model::locale::{DatePart, Locale};

/// How a locale writes numbers and dates.
pub fn locale(tag: &str) -> Locale {
    let tags = Array::of1(&tag.into());
    let mut locale = Locale::default();
    read_number(&tags, &mut locale);
    let percent = parts(
        &Intl::NumberFormat::new(
            &tags,
            &options(&[("style", "percent"), ("numberingSystem", "latn")]),
        )
        .format_to_parts(0.5),
    );
    let unit = percent.into_iter().skip_while(|(kind, _)| kind != "integer").skip(1);
    let unit: String = unit.map(|(_, text)| text).collect();
    if !unit.is_empty() {
        locale.percent = unit;
    }
    let date = date(&tags);
    if !date.is_empty() {
        locale.date = date;
    }
    locale
}

fn read_number(tags: &Array, locale: &mut Locale) {
    let format = Intl::NumberFormat::new(tags, &options(&[("numberingSystem", "latn")]));
    let mut sizes = Vec::new();
    for (kind, text) in parts(&format.format_to_parts(1_234_567.5)) {
        match kind.as_str() {
            "group" => locale.group = text,
            "decimal" => locale.point = text,
            "integer" => sizes.push(text.len()),
            _ => {}
        }
    }
    // The last group has three digits everywhere; the one before it has as many as all others.
    if let [_, .., other, _] = sizes.as_slice() {
        locale.group_size = *other;
    }
}

/// The parts of a date, from samples of each month.
fn date(tags: &Array) -> Vec<DatePart> {
    let given = [
        ("dateStyle", "medium"),
        ("timeZone", "UTC"),
        ("calendar", "gregory"),
        ("numberingSystem", "latn"),
    ];
    let format = Intl::DateTimeFormat::new(tags, &options(&given));
    let of_month = |month: i32| parts(&format.format_to_parts(&day(month)));
    let name = |month| {
        let found = of_month(month).into_iter().find(|(kind, _)| kind == "month");
        found.map(|(_, text)| text).unwrap_or_default()
    };
    let part = |(kind, text): (String, String)| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        match kind.as_str() {
            "day" => DatePart::Day(text.len() == 2),
            "month" if is_number => DatePart::Month(text.len() == 2),
            "month" => DatePart::MonthName((0..12).map(name).collect()),
            "year" => DatePart::Year,
            _ => DatePart::Literal(text),
        }
    };
    of_month(0).into_iter().map(part).collect()
}

/// The first day of a month.
fn day(month: i32) -> Date {
    Date::new(&JsValue::from_f64(Date::utc(2003.0, f64::from(month))))
}

/// Kinds and texts of the parts that `Intl` made.
fn parts(made: &Array) -> Vec<(String, String)> {
    let member = |part: &JsValue, name: &str| {
        Reflect::get(part, &name.into()).ok().and_then(|member| member.as_string())
    };
    let part = |part: JsValue| Some((member(&part, "type")?, member(&part, "value")?));
    made.iter().filter_map(part).collect()
}

fn options(given: &[(&str, &str)]) -> Object {
    let options = Object::new();
    for (name, value) in given {
        // Fails only on objects that are frozen.
        let _ = Reflect::set(&options, &(*name).into(), &(*value).into());
    }
    options
}
