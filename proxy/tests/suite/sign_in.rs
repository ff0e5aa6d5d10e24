//! A browser's sign-in with a key.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use wherefore_proxy::access::keys::{digest, new_key};
use wherefore_proxy::store::NewKey;

use crate::support::client::Answer;
use crate::support::{Client, SHOP, SqliteFile};

struct Browser {
    client: Client,
    key: String,
    key_id: String,
    host: &'static str,
    _shop: SqliteFile,
}

impl Browser {
    async fn new(host: &'static str) -> Self {
        let shop = SqliteFile::new(SHOP);
        let web = shop.folder.path().join("web");
        std::fs::create_dir(&web).unwrap();
        std::fs::write(web.join("index.html"), "<title>the page</title>").unwrap();
        let mut client =
            Client::start(&shop.config(&["--auth", "keys", "--static", web.to_str().unwrap()]))
                .await;
        client.answer_hosts(&["chat.example".to_owned()], Some(&web));
        let key = new_key().unwrap();
        let kept = NewKey {
            hash: digest(&key).to_vec(),
            tenant: "default".to_owned(),
            user: Some("ann".to_owned()),
            name: String::new(),
            expires_at: None,
        };
        let key_id = client.state.store.add_key(kept).await.unwrap();
        Self { client, key, key_id, host, _shop: shop }
    }

    async fn send(&self, method: &str, path: &str, cookie: &str, body: String) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.host)
            .header(header::COOKIE, cookie)
            .header(header::ACCEPT, "text/html,*/*")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.client.send(request.body(Body::from(body)).unwrap()).await
    }

    async fn open(&self, path: &str, cookie: &str) -> Answer {
        self.send("GET", path, cookie, String::new()).await
    }

    async fn sign_in(&self, cookie: &str) -> (Answer, String) {
        let answer = self.send("POST", "/sign-in", cookie, format!("key={}", self.key)).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        assert_eq!(answer.headers[header::LOCATION], "/");
        let set = answer.headers[header::SET_COOKIE].to_str().unwrap().to_owned();
        let cookie = set.split(';').next().unwrap().to_owned();
        (answer, cookie)
    }
}

#[tokio::test]
async fn who_opens_the_page_is_shown_where_to_sign_in() {
    let browser = Browser::new("localhost:8080").await;
    for path in ["/", "/some/session"] {
        let answer = browser.open(path, "").await;
        assert_eq!(answer.status, 303);
        assert_eq!(answer.headers[header::LOCATION], "/sign-in");
    }
    browser.open("/api/v1/catalog", "").await.problem(401, "not_signed_in");
    let page = browser.open("/sign-in", "").await;
    assert_eq!(page.status, 200);
    assert!(!page.text.contains("<script") && !page.text.contains("style="), "{}", page.text);
    assert_eq!(page.headers[header::REFERRER_POLICY], "same-origin");
    assert!(!page.text.contains("Sign out"), "{}", page.text);
    let (_, cookie) = browser.sign_in("").await;
    let page = browser.open("/sign-in", &cookie).await;
    assert!(page.text.contains("action=\"/sign-out\""), "{}", page.text);
    assert!(page.headers.contains_key(header::CONTENT_SECURITY_POLICY));
    assert_eq!(
        browser.open("/sign-in.css", "").await.headers[header::CONTENT_TYPE],
        "text/css; charset=utf-8"
    );
}

#[tokio::test]
async fn a_sign_in_opens_the_page_until_it_is_ended() {
    let browser = Browser::new("localhost:8080").await;
    let (answer, cookie) = browser.sign_in("").await;
    let set = answer.headers[header::SET_COOKIE].to_str().unwrap();
    for part in ["wherefore=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=604800"] {
        assert!(set.contains(part), "{part} is missing in {set}");
    }
    assert!(!set.contains("Secure") && !set.contains("__Host-"), "{set}");
    assert!(browser.open("/", &cookie).await.text.contains("the page"));
    browser.open("/api/v1/catalog", &cookie).await.ok(200);
    let ended = browser.send("POST", "/sign-out", &cookie, String::new()).await;
    assert_eq!(ended.status, 303);
    assert!(ended.headers[header::SET_COOKIE].to_str().unwrap().contains("Max-Age=0"));
    browser.open("/api/v1/catalog", &cookie).await.problem(401, "not_signed_in");
}

#[tokio::test]
async fn beyond_this_machine_the_cookie_is_for_https_alone() {
    let browser = Browser::new("chat.example").await;
    let (answer, cookie) = browser.sign_in("").await;
    let set = answer.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(set.starts_with("__Host-wherefore=") && set.contains("Secure"), "{set}");
    browser.open("/api/v1/catalog", &cookie).await.ok(200);
    let plain = cookie.replace("__Host-", "");
    browser.open("/api/v1/catalog", &plain).await.problem(401, "not_signed_in");
}

#[tokio::test]
async fn a_planted_id_signs_nobody_in() {
    let browser = Browser::new("localhost:8080").await;
    let planted = "wherefore=AAAAAAAAAAAAAAAAAAAAAA";
    browser.open("/api/v1/catalog", planted).await.problem(401, "not_signed_in");
    let (_, first) = browser.sign_in(planted).await;
    assert_ne!(first, planted);
    browser.open("/api/v1/catalog", planted).await.problem(401, "not_signed_in");
    let (_, second) = browser.sign_in(&first).await;
    assert_ne!(first, second);
    browser.open("/api/v1/catalog", &first).await.problem(401, "not_signed_in");
    browser.open("/api/v1/catalog", &second).await.ok(200);
}

#[tokio::test]
async fn a_sign_in_ends_with_its_key_and_with_time() {
    let browser = Browser::new("localhost:8080").await;
    let (_, cookie) = browser.sign_in("").await;
    let id = cookie.strip_prefix("wherefore=").unwrap();
    let store = &browser.client.state.store;
    assert!(store.use_sign_in(&digest(id), Duration::ZERO).await.unwrap().is_none(), "it was idle");
    browser.open("/api/v1/catalog", &cookie).await.ok(200);
    store.revoke_key(&browser.key_id).await.unwrap();
    browser.open("/api/v1/catalog", &cookie).await.problem(401, "not_signed_in");
    let old = "BBBBBBBBBBBBBBBBBBBBBB";
    store.add_sign_in(&digest(old), None, "default", Some("ann"), Duration::ZERO).await.unwrap();
    browser
        .open("/api/v1/catalog", &format!("wherefore={old}"))
        .await
        .problem(401, "not_signed_in");
}

#[tokio::test]
async fn failures_are_slowed_down_and_say_nothing_of_the_key() {
    let browser = Browser::new("localhost:8080").await;
    let wrong = new_key().unwrap();
    for _ in 0..10 {
        let answer = browser.send("POST", "/sign-in", "", format!("key={wrong}")).await;
        assert_eq!(answer.status, 401);
        assert!(answer.text.contains("not valid") && !answer.text.contains(&wrong));
        assert!(!answer.headers.contains_key(header::SET_COOKIE));
    }
    let answer = browser.send("POST", "/sign-in", "", format!("key={wrong}")).await;
    answer.problem(429, "too_many_sign_ins");
    assert!(answer.headers.contains_key(header::RETRY_AFTER));
}
