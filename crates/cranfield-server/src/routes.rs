//! The addresses of the server. Each page has the same address in the API, below `/api/v1`.

use axum::Router;
use axum::routing::get;

use crate::api::{self, Operation};
use crate::pages::{
    access, account, admin, baselines, board, campaign, codes, copy, entries, events, export,
    grades, log, manage, new, own_team, people, preview, qrels, results, roster, scorings,
    settings, submit, teams,
};
use crate::problem::Problem;
use crate::server::Server;
use crate::{assets, health, web};

/// Everything that the server answers.
pub(crate) fn app(server: Server) -> Router {
    api::router(operations())
        .route("/assets/{hash}/{name}", get(assets::get))
        .fallback(async || Problem::not_found())
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
        .layer(axum::middleware::from_fn_with_state(
            server.clone(),
            web::answer,
        ))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .layer(axum::middleware::from_fn_with_state(
            server.clone(),
            health::observe,
        ))
        .with_state(server)
}

/// Every page and operation: the call, the address, who may call it, its statuses beside those that [`Operation`] has by itself, its handler,
/// and what it does. `Data` is in the API only.
pub(crate) fn operations() -> Vec<Operation> {
    api::operations! {
        Get "/", Anyone, [], account::home, "Lists the campaigns that you may see.";
        Get "/api", Anyone, [], api::reference, "Lists the operations of the API.";
        Data "/openapi.json", Anyone, [], api::openapi, "Describes the API as OpenAPI 3.1.";
        Get "/setup/{secret}", Anyone, [], account::setup_form, "Shows the form that makes the first account.";
        Post "/setup/{secret}", Anyone, [], account::setup, "Makes the first account.";
        Get "/login", Anyone, [], account::login_form, "Shows the form to sign in.";
        Post "/login", Anyone, [429], account::login, "Begins a session.";
        Post "/logout", Anyone, [], account::logout, "Ends the session.";
        Get "/join", Anyone, [], account::join_form, "Shows the form to join a campaign.";
        Post "/join", Anyone, [201 409 410 429], account::join, "Joins a campaign with a code.";
        Get "/join/{code}", Anyone, [], account::join_form_with, "Shows the form to join a campaign, with the code filled in.";
        Get "/me", Account, [], account::me, "Shows your account.";
        Post "/me", Account, [429], account::change_password, "Changes your password, and ends your other sessions.";
        Post "/me/tokens", Account, [], access::new_token, "Makes a token, which is shown once. Needs a session.";
        Post "/me/tokens/{token}/revoke", Account, [], access::revoke_token, "Revokes a token. Needs a session.";
        Post "/me/sessions/{session}/end", Account, [], access::end_session, "Ends a session. Needs a session.";
        Post "/me/sessions/end", Account, [], access::end_other_sessions, "Ends all other sessions. Needs a session.";
        Get "/new", Admin, [], new::new_form, "Shows the settings of a new campaign.";
        Post "/new", Admin, [201], new::create, "Makes a campaign, which is a draft.";
        Get "/c/{slug}", Anyone, [], campaign::show, "Shows dates, rules and limits of a campaign.";
        Get "/c/{slug}/board", Board, [304 422], board::show, "Shows the board, or with `format` a table for other programs.";
        Get "/c/{slug}/board/embed", Reader, [], board::embed, "Sends the board as a page for frames of the sites in the settings.";
        Get "/c/{slug}/board/{number}", Board, [], board::history, "Shows how the public value of a team has changed.";
        Get "/c/{slug}/events", Board, [503], events::events, "Sends an event with the version of the board whenever it changes.";
        Get "/c/{slug}/results", Final, [], results::show, "Lists the final entries, and what the commitment was made of.";
        Get "/c/{slug}/results/report", Final, [], results::report, "Sends the report of the final entries, for those who see the judgements.";
        Get "/c/{slug}/results/commitment", Final, [], results::commitment, "Sends the bytes whose BLAKE3 hash is the commitment.";
        Get "/c/{slug}/results/split", Final, [], results::split, "Sends which topics were public.";
        Get "/c/{slug}/results/qrels", Final, [], results::qrels, "Sends the judgements, if the settings release them.";
        Get "/c/{slug}/results/runs/{number}", Final, [], results::run, "Sends the run of a final entry: of the own team, or if the settings release them.";
        Get "/c/{slug}/results/team/{number}", Final, [], results::team, "Shows the final entry of a team by topic: to the team, and to those who see the judgements.";
        Get "/c/{slug}/results/team/{number}/explain", Final, [422], results::explain, "Explains a value of a final entry to those who see the judgements.";
        Get "/c/{slug}/submit", Participant, [], submit::submit_form, "Tells how many entries are left.";
        Post "/c/{slug}/submit", Participant, [202 409 429], submit::submit, "Sends a run.";
        Post "/c/{slug}/submit/check", Participant, [429], submit::check, "Checks a run as it is checked when it is sent, and keeps nothing.";
        Get "/c/{slug}/team", Participant, [], entries::own_team, "Shows your team and its entries.";
        Post "/c/{slug}/team", Participant, [201 409], own_team::found, "Makes a team, for a participant who is in none.";
        Post "/c/{slug}/team/invitation", Participant, [409], own_team::invite, "Makes a code for new members of your team, which is shown once.";
        Post "/c/{slug}/team/name", Participant, [409], own_team::rename, "Renames your team.";
        Post "/c/{slug}/team/leave", Participant, [409], own_team::leave, "Leaves your team.";
        Post "/c/{slug}/team/merge", Participant, [409], own_team::merge, "Asks another team to merge with yours, or agrees if it has asked.";
        Post "/c/{slug}/team/merge/decline", Participant, [409], own_team::decline, "Takes back or declines a merge.";
        Post "/c/{slug}/team/picks", Participant, [409], entries::pick, "Picks entries for the final board.";
        Get "/c/{slug}/team/{number}", Team, [], entries::team, "Shows a team and its entries.";
        Get "/c/{slug}/team/{number}/{entry}", Team, [], entries::entry, "Shows an entry, its problems and its values.";
        Get "/c/{slug}/team/{number}/{entry}/file", Team, [], entries::file, "Sends the file of an entry as it was received.";
        Post "/c/{slug}/team/{number}/{entry}/withdraw", OwnTeam, [409], entries::withdraw, "Withdraws an entry.";
        Get "/c/{slug}/admin", Staff, [], admin::cockpit, "Shows what needs attention, and the teams.";
        Get "/c/{slug}/admin/settings", Organiser, [304], settings::form, "Shows the settings, with their version as `ETag`.";
        Post "/c/{slug}/admin/settings", Organiser, [409 412 428], settings::change, "Changes the settings. Fields that are left out get their defaults. Needs the version that the change begins with, as `If-Match` or `version`.";
        Post "/c/{slug}/admin/settings/preview", Organiser, [], settings::preview, "Shows what settings would change.";
        Get "/c/{slug}/admin/settings/versions", Organiser, [], settings::versions, "Lists the versions of the settings, and compares two of them.";
        Get "/c/{slug}/admin/settings/toml", Organiser, [], settings::toml, "Sends the settings as TOML.";
        Post "/c/{slug}/admin/settings/toml", Organiser, [], settings::read_toml, "Shows what the settings of a TOML file would change.";
        Post "/c/{slug}/admin/preview", Organiser, [], preview::begin, "Shows the pages of the campaign as a reader, a participant or a team sees them, until the preview is left. Needs a session.";
        Post "/c/{slug}/admin/preview/end", Organiser, [], preview::end, "Leaves the preview.";
        Get "/c/{slug}/admin/copy", Organiser, [], copy::form, "Shows what a new campaign like this one takes over, and the form to make it.";
        Post "/c/{slug}/admin/copy", Organiser, [], copy::send, "Checks a new campaign with the settings, people and teams of this one, or with `apply` makes it, as a draft.";
        Post "/c/{slug}/admin/publish", Organiser, [409], admin::publish, "Publishes a draft.";
        Post "/c/{slug}/admin/freeze", Organiser, [409], admin::freeze_board, "Freezes the board.";
        Post "/c/{slug}/admin/release", Organiser, [409], admin::release, "Releases the final board.";
        Post "/c/{slug}/admin/codes", Staff, [], codes::new_code, "Makes a code to join with, which is shown once.";
        Post "/c/{slug}/admin/codes/{code}/revoke", Staff, [], codes::revoke, "Revokes a code.";
        Get "/c/{slug}/admin/people", Staff, [], people::list, "Lists the people of a campaign, and its codes.";
        Post "/c/{slug}/admin/people/{person}", Staff, [409], people::change, "Gives a person another role or team.";
        Post "/c/{slug}/admin/people/{person}/password", Staff, [409], people::reset_password, "Makes a one-time password, which is shown once.";
        Post "/c/{slug}/admin/people/{person}/remove", Staff, [409], people::remove, "Removes a person from a campaign.";
        Get "/c/{slug}/admin/teams", Staff, [], teams::list, "Lists all teams.";
        Post "/c/{slug}/admin/teams/{number}/name", Staff, [], teams::rename, "Renames a team.";
        Post "/c/{slug}/admin/teams/{number}/grant", Staff, [], teams::grant, "Grants a team extra entries, with a reason.";
        Get "/c/{slug}/admin/roster", Staff, [], roster::form, "Shows the form of a roster.";
        Post "/c/{slug}/admin/roster", Staff, [409], roster::send, "Shows what a roster would do, or adds its people and shows their one-time passwords.";
        Post "/c/{slug}/admin/roster/file", Staff, [], roster::read_file, "Shows what a roster in a file would do.";
        Get "/c/{slug}/admin/entries", Staff, [], manage::list, "Lists the entries of all teams, the newest first.";
        Post "/c/{slug}/admin/entries/{number}/{entry}/reject", Staff, [409], manage::reject, "Rejects an entry with a reason.";
        Post "/c/{slug}/admin/entries/{number}/{entry}/requeue", Staff, [409], manage::requeue, "Checks and scores again what failed on the side of the server.";
        Get "/c/{slug}/admin/baselines", Organiser, [], baselines::list, "Lists the baselines, and the searches that make them.";
        Post "/c/{slug}/admin/baselines", Organiser, [202 409 429], baselines::send, "Sends a run of a baseline.";
        Post "/c/{slug}/admin/baselines/search", Organiser, [202 409], baselines::search, "Begins to make baselines from a collection.";
        Get "/c/{slug}/admin/qrels", Organiser, [], qrels::list, "Lists the versions of the judgements, and how they were applied.";
        Post "/c/{slug}/admin/qrels", Organiser, [202 409], qrels::add, "Sends a version of the judgements, and begins to preview it.";
        Get "/c/{slug}/admin/qrels/{version}", Organiser, [], qrels::file, "Sends a version of the judgements as it was received.";
        Get "/c/{slug}/admin/scorings/{number}", Organiser, [], scorings::show, "Shows what a version of the judgements moves.";
        Post "/c/{slug}/admin/scorings/{number}/apply", Organiser, [409], scorings::apply, "Applies a preview.";
        Post "/c/{slug}/admin/scorings/{number}/cancel", Organiser, [409], scorings::cancel, "Cancels a preview.";
        Post "/c/{slug}/admin/scorings/{number}/retry", Organiser, [409], scorings::retry, "Scores what failed in a preview again.";
        Get "/c/{slug}/admin/export", Organiser, [], export::show, "Lists what can be exported.";
        Get "/c/{slug}/admin/full.zip", Organiser, [], export::full, "Sends an archive with everything.";
        Get "/c/{slug}/public.zip", Released, [], export::public, "Sends an archive with what you may see after the release.";
        Get "/c/{slug}/team.zip", Participant, [], export::team, "Sends an archive with the runs of your team and the values that it may see.";
        Get "/c/{slug}/admin/grades", Organiser, [], grades::grades, "Sends the grades of all members as CSV.";
        Get "/c/{slug}/admin/log", Staff, [], log::show, "Shows the log.";
    }
}
