//! `cargo xtask`: installs pinned tools and calls them. It contains no product logic.

mod bench;
mod contract;
mod counts;
mod demo;
mod dist;
mod engine_module;
mod eval;
mod fuzz;
mod package;
mod page_engine;
mod page_parts;
mod pictures;
mod process;
mod python;
mod sample;
mod system;
mod test;
mod tools;
mod web;
mod workspace;
mod www;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  demo [--listen ADDRESS] [PROXY OPTIONS]
                     build everything and serve the chat page on 127.0.0.1,
                     on the sample data, or on what --database and --pack name
  test [--only STEP] install what tests need and run them all;
                     steps: fmt clippy rust contract wasm package www browser
  test --suite axe   accessibility of each state of the page, in all themes
                     and languages
  test --suite frameworks
                     the npm package in Vite and React, Next, Bun and Deno
  test --suite model-servers
                     real model servers (llama.cpp, LiteLLM) behind the proxy
  test --suite sail  Sail with two workers as the data source
  test --suite spark Apache Spark with two workers as the data source; needs
                     Java 17 or later and 3 GB of memory
  package            build the npm package (dev) into target/pkg
  page-engine        add the engine's module to the page; Trunk calls this
  pictures           take the pictures of the README into docs/pictures
  www                build the static pages into target/www
  dist               build the release of page, proxy and package into target/dist
  bench [size|preview|web|package|proxy|sql|stream|attacks]
                     measure, and compare with bench/budgets.toml
  eval ambiguity|clarify|composer|reword --set SET --file FILE [OPTIONS]
                     evaluate on a set of questions (eval/README.md)
  eval guard|lint|transpile|pg-selects --cases FILE [--show N]
                     evaluate on a file of statements; pg-selects needs libclang
  eval mutate --questions FILE --databases DIR
                     break statements, and see what is found and mended
  fuzz [SECONDS]     read any bytes as SQL, for ten minutes where no time is given";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    let result = match arguments.first().map(String::as_str) {
        Some("bench") => bench::run(rest),
        Some("demo") => demo::run(rest),
        Some("dist") => dist::run(rest),
        Some("eval") => eval::run(rest),
        Some("fuzz") => fuzz::run(rest),
        Some("page-engine") => page_engine::run(),
        Some("package") => package::build_dev().map(drop),
        Some("pictures") => pictures::run(),
        Some("test") => test::run(rest),
        Some("www") => www::build_release(),
        Some("help" | "--help" | "-h") => {
            process::say(USAGE);
            Ok(())
        }
        Some(other) => Err(anyhow::anyhow!("unknown command: {other}\n\n{USAGE}")),
        None => Err(anyhow::anyhow!("no command given\n\n{USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            process::say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
