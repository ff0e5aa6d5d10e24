//! Starts the chat page.

fn main() {
    wherefore_web::start();
}
