//! Turns the messages of `locales/*.ftl` into functions, and refuses locales that differ in keys or arguments.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Message, Pattern, PatternElement, VariantKey,
};

/// The first locale decides the names of the functions.
const LOCALES: [&str; 2] = ["en", "de"];

/// Marks of the packed form; `web/src/texts.rs` reads them.
const ARGUMENT: char = '\u{1}';
const PLURAL: char = '\u{2}';
const OTHER: char = '\u{3}';
const END: char = '\u{4}';

/// An argument of a message, and whether its plural is chosen by it.
type Arguments = Vec<(String, bool)>;

fn main() {
    if env::var_os("CARGO_FEATURE_SPLIT").is_some() {
        // What divides the module needs to know which function uses what.
        println!("cargo::rustc-link-arg=--emit-relocs");
    }
    let locales = LOCALES.map(read);
    let [english, others @ ..] = &locales;
    let mut code = String::new();
    let mut arguments = Vec::new();
    for (index, (key, pattern)) in english.iter().enumerate() {
        let mut found = Arguments::new();
        collect(pattern, &mut found);
        code += &function(index, key, &found, &packed(key, pattern, &found));
        arguments.push(found);
    }
    let table = |messages: &BTreeMap<String, Pattern<String>>| {
        let texts = messages
            .iter()
            .zip(&arguments)
            .map(|((key, pattern), arguments)| format!("{:?}", packed(key, pattern, arguments)));
        texts.collect::<Vec<_>>().join(",\n    ")
    };
    for (locale, messages) in LOCALES[1..].iter().zip(others) {
        for ((key, pattern), arguments) in messages.iter().zip(&arguments) {
            assert!(english.contains_key(key), "{locale}.ftl has {key}, which en.ftl has not");
            let mut found = Arguments::new();
            collect(pattern, &mut found);
            let names = |list: &Arguments| {
                let mut names: Vec<_> = list.iter().map(|(name, _)| name.clone()).collect();
                names.sort();
                names
            };
            assert!(names(&found) == names(arguments), "{locale}.ftl: arguments of {key} differ");
        }
        assert!(messages.len() == english.len(), "{locale}.ftl lacks messages of en.ftl");
    }
    for (locale, messages) in LOCALES.iter().zip(&locales) {
        let name = locale.to_uppercase();
        let length = messages.len();
        writeln!(code, "static {name}: [&str; {length}] = [\n    {}\n];", table(messages))
            .expect("a string takes all text");
    }
    let keys: Vec<_> = english.keys().map(|key| format!("{key:?}")).collect();
    let length = keys.len();
    writeln!(
        code,
        "#[cfg(test)]\nstatic KEYS: [&str; {length}] = [\n    {}\n];",
        keys.join(",\n    ")
    )
    .expect("a string takes all text");
    let folder = env::var("OUT_DIR").expect("Cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("messages.rs"), code).expect("OUT_DIR can be written");
}

/// The messages of a locale by their keys.
fn read(locale: &str) -> BTreeMap<String, Pattern<String>> {
    let path = format!("locales/{locale}.ftl");
    println!("cargo::rerun-if-changed={path}");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let resource = fluent_syntax::parser::parse(text)
        .unwrap_or_else(|(_, errors)| panic!("{path}: {errors:?}"));
    let mut messages = BTreeMap::new();
    for entry in resource.body {
        match entry {
            Entry::Message(Message { id, value: Some(value), attributes, .. }) => {
                assert!(attributes.is_empty(), "{path}: {} has attributes", id.name);
                let earlier = messages.insert(id.name.clone(), value);
                assert!(earlier.is_none(), "{path}: {} is there twice", id.name);
            }
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => {}
            other => panic!("{path}: only messages and comments are read: {other:?}"),
        }
    }
    messages
}

/// Adds the arguments of a pattern in the order of their first use.
fn collect(pattern: &Pattern<String>, found: &mut Arguments) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        match expression {
            Expression::Inline(inline) => add(found, &variable(inline), false),
            Expression::Select { selector, variants } => {
                add(found, &variable(selector), true);
                for variant in variants {
                    collect(&variant.value, found);
                }
            }
        }
    }
}

fn add(found: &mut Arguments, name: &str, is_count: bool) {
    match found.iter_mut().find(|(known, _)| known == name) {
        Some((_, counts)) => *counts |= is_count,
        None => found.push((name.to_owned(), is_count)),
    }
}

fn variable(expression: &InlineExpression<String>) -> String {
    match expression {
        InlineExpression::VariableReference { id } => id.name.clone(),
        other => panic!("only variables are read: {other:?}"),
    }
}

/// A pattern as one text, in which arguments are numbers and plurals lie between marks.
fn packed(key: &str, pattern: &Pattern<String>, arguments: &Arguments) -> String {
    let place = |name: String| {
        let place = arguments.iter().position(|(known, _)| *known == name);
        let place = place.unwrap_or_else(|| panic!("{key}: en.ftl has no argument {name}"));
        char::from(b'0' + u8::try_from(place).expect("few arguments"))
    };
    let mut text = String::new();
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => text.push_str(value),
            PatternElement::Placeable { expression: Expression::Inline(literal) }
                if matches!(literal, InlineExpression::StringLiteral { .. }) =>
            {
                if let InlineExpression::StringLiteral { value } = literal {
                    text.push_str(value);
                }
            }
            PatternElement::Placeable { expression: Expression::Inline(inline) } => {
                text.extend([ARGUMENT, place(variable(inline))]);
            }
            PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                let form = |name: &str| {
                    let named = variants.iter().find(|variant| match &variant.key {
                        VariantKey::Identifier { name: key } => key == name,
                        VariantKey::NumberLiteral { .. } => false,
                    });
                    let named = named.unwrap_or_else(|| panic!("{key}: no form {name}"));
                    packed(key, &named.value, arguments)
                };
                assert!(variants.len() == 2, "{key}: the forms are one and other");
                text.extend([PLURAL, place(variable(selector))]);
                text += &[form("one"), form("other")].join(&OTHER.to_string());
                text.push(END);
            }
        }
    }
    text
}

/// The function of a message.
fn function(index: usize, key: &str, arguments: &Arguments, english: &str) -> String {
    let name = key.replace('-', "_");
    let shown: String = english.chars().filter(|letter| !letter.is_control()).collect();
    let shown = shown.replace(['[', ']', '<', '>'], "");
    if arguments.is_empty() {
        return format!(
            "/// `{shown}`\npub fn {name}() -> &'static str {{\n    message({index})\n}}\n"
        );
    }
    let mut parameters = Vec::new();
    let mut given = Vec::new();
    for (argument, is_count) in arguments {
        let argument = argument.replace('-', "_");
        let (kind, variant) = if *is_count { ("usize", "Count") } else { ("&str", "Text") };
        parameters.push(format!("{argument}: {kind}"));
        given.push(format!("Argument::{variant}({argument})"));
    }
    format!(
        "/// `{shown}`\npub fn {name}({}) -> String {{\n    filled({index}, &[{}])\n}}\n",
        parameters.join(", "),
        given.join(", ")
    )
}
