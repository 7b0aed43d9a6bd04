//! The addresses of the server. Each page has the same address in the API, below `/api/v1`.

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::routing::{get, post};

use crate::pages::{
    account, admin, board, campaign, codes, entries, events, log, manage, new, people, qrels,
    scorings, submit,
};
use crate::server::Server;
use crate::{assets, upload, web};

/// Everything that the server answers.
pub(crate) fn app(server: Server) -> Router {
    let pages = pages();
    Router::new()
        .nest("/api/v1", pages.clone())
        .merge(pages)
        .route("/assets/{hash}/{name}", get(assets::get))
        .fallback(async || crate::problem::Problem::not_found())
        .layer(axum::middleware::from_fn_with_state(
            server.clone(),
            web::answer,
        ))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .with_state(server)
}

fn pages() -> Router<Server> {
    // A form has fields and perhaps two files.
    let body = DefaultBodyLimit::max(2 * upload::MOST_BYTES as usize + (1 << 20));
    Router::new()
        .route("/", get(account::home))
        .route(
            "/setup/{secret}",
            get(account::setup_form).post(account::setup),
        )
        .route("/login", get(account::login_form).post(account::login))
        .route("/logout", post(account::logout))
        .route("/join", get(account::join_form).post(account::join))
        .route("/join/{code}", get(account::join_form).post(account::join))
        .route("/me", get(account::me).post(account::change_password))
        .route("/me/tokens", post(account::new_token))
        .route("/new", get(new::new_form).post(new::create).layer(body))
        .route("/c/{slug}", get(campaign::show))
        .route("/c/{slug}/board", get(board::show))
        .route("/c/{slug}/events", get(events::events))
        .route(
            "/c/{slug}/submit",
            get(submit::submit_form).post(submit::submit).layer(body),
        )
        .route("/c/{slug}/team", get(entries::own_team))
        .route("/c/{slug}/team/picks", post(entries::pick))
        .route("/c/{slug}/team/{number}", get(entries::team))
        .route("/c/{slug}/team/{number}/{entry}", get(entries::entry))
        .route("/c/{slug}/team/{number}/{entry}/file", get(entries::file))
        .route(
            "/c/{slug}/team/{number}/{entry}/withdraw",
            post(entries::withdraw),
        )
        .route("/c/{slug}/admin", get(admin::cockpit))
        .route(
            "/c/{slug}/admin/settings",
            get(admin::settings_form).post(admin::change_settings),
        )
        .route("/c/{slug}/admin/publish", post(admin::publish))
        .route("/c/{slug}/admin/freeze", post(admin::freeze))
        .route("/c/{slug}/admin/release", post(admin::release))
        .route("/c/{slug}/admin/people", get(people::list))
        .route("/c/{slug}/admin/people/{person}", post(people::change))
        .route(
            "/c/{slug}/admin/people/{person}/password",
            post(people::reset_password),
        )
        .route(
            "/c/{slug}/admin/people/{person}/remove",
            post(people::remove),
        )
        .route("/c/{slug}/admin/codes", post(codes::new_code))
        .route("/c/{slug}/admin/codes/{code}/revoke", post(codes::revoke))
        .route("/c/{slug}/admin/entries", get(manage::list))
        .route(
            "/c/{slug}/admin/entries/{number}/{entry}/reject",
            post(manage::reject),
        )
        .route(
            "/c/{slug}/admin/entries/{number}/{entry}/requeue",
            post(manage::requeue),
        )
        .route(
            "/c/{slug}/admin/baselines",
            post(admin::baseline).layer(body),
        )
        .route(
            "/c/{slug}/admin/qrels",
            get(qrels::list).post(qrels::add).layer(body),
        )
        .route("/c/{slug}/admin/qrels/{version}", get(qrels::file))
        .route("/c/{slug}/admin/scorings/{number}", get(scorings::show))
        .route(
            "/c/{slug}/admin/scorings/{number}/apply",
            post(scorings::apply),
        )
        .route(
            "/c/{slug}/admin/scorings/{number}/cancel",
            post(scorings::cancel),
        )
        .route(
            "/c/{slug}/admin/scorings/{number}/retry",
            post(scorings::retry),
        )
        .route("/c/{slug}/admin/grades", get(admin::grades))
        .route("/c/{slug}/admin/log", get(log::show))
}

/// Whether the database answers and no entry has waited for more than a minute.
async fn ready(State(server): State<Server>) -> (StatusCode, &'static str) {
    let now = server.now();
    let waiting = server
        .store
        .read(move |db| {
            let query = "SELECT count(*) FROM job WHERE state = 'queued' AND scoring IS NULL AND created < ?1";
            Ok(db.query_row(query, [now - 60_000], |row| row.get::<_, i64>(0))?)
        })
        .await;
    match waiting {
        Ok(0) => (StatusCode::OK, "ready\n"),
        Ok(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "entries have waited for more than a minute\n",
        ),
        Err(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the database does not answer\n",
        ),
    }
}
