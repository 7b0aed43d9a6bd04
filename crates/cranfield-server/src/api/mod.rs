//! One table of operations makes both the router and its description, so that neither can have what the other lacks.
//!
//! Each line of the table in `routes.rs` is an [`Operation`]: what it reads follows from the arguments of its handler, what it answers from
//! the type that the handler returns, and who may call it from its line.

mod describe;
mod page;
mod schema;

use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::handler::Handler;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use serde_json::Value;

pub(crate) use describe::{API, description};
pub(crate) use page::{openapi, reference};
pub(crate) use schema::schema_of;

use crate::extract::{BodyKind, Input, Received};
use crate::problem::Problem;
use crate::server::Server;
use crate::upload;
use crate::web::{Done, Shown};

/// How an address is called, and whether it is also a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Get,
    /// Forms know this method only, and the API does what they do.
    Post,
    /// A part of the API that is not a page.
    Data,
}

impl Call {
    fn filter(self) -> MethodFilter {
        match self {
            Self::Get | Self::Data => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
        }
    }

    fn method(self) -> &'static str {
        match self {
            Self::Get | Self::Data => "get",
            Self::Post => "post",
        }
    }
}

/// Who may call an operation. A test calls each as everyone and compares the answers with this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Everyone; what belongs to a draft does not exist for others than its staff.
    Anyone,
    /// People who are signed in.
    Account,
    /// Those whom the setting `board` admits.
    Board,
    /// Everyone, if the setting `board` admits readers.
    Reader,
    /// Everyone, after the release.
    Released,
    /// Everyone after the release, and organisers before.
    Final,
    /// Participants, for their own team.
    Participant,
    /// Members of the team in the address, organisers and assistants.
    Team,
    /// Members of the team in the address.
    OwnTeam,
    /// Organisers and assistants.
    Staff,
    /// Organisers.
    Organiser,
    /// Accounts that may make campaigns.
    Admin,
}

impl Who {
    /// The name in the description.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Anyone => "anyone",
            Self::Account => "account",
            Self::Board => "board",
            Self::Reader => "reader",
            Self::Released => "released",
            Self::Final => "final",
            Self::Participant => "participant",
            Self::Team => "team",
            Self::OwnTeam => "own-team",
            Self::Staff => "staff",
            Self::Organiser => "organiser",
            Self::Admin => "admin",
        }
    }

    /// A sentence of the reference.
    fn sentence(self) -> &'static str {
        match self {
            Self::Anyone => "For everyone. A draft exists for its organisers and assistants only.",
            Self::Account => "For people who are signed in.",
            Self::Board => "For those whom the setting `board` admits.",
            Self::Reader => "For everyone, if the setting `board` admits readers.",
            Self::Released => "For everyone, after the release.",
            Self::Final => "For everyone after the release, and for organisers before.",
            Self::Participant => "For participants, who act for their own team.",
            Self::Team => "For members of the team, organisers and assistants.",
            Self::OwnTeam => "For members of the team.",
            Self::Staff => "For organisers and assistants.",
            Self::Organiser => "For organisers.",
            Self::Admin => "For accounts that may make campaigns.",
        }
    }
}

/// The fields of a request.
#[derive(Debug)]
pub(crate) enum Body {
    /// A form or JSON.
    Form(Value),
    /// A form with files.
    Files(&'static [(&'static str, bool)], Value),
}

/// What an answer is if all goes well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// What a page shows, as JSON.
    View,
    /// What was done, as JSON.
    Action,
    /// A file, or whatever the request asks for.
    File,
}

/// What an operation reads and answers.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The parts of the address: one, or as many as the schema has.
    pub(crate) path: Option<Value>,
    pub(crate) query: Option<Value>,
    pub(crate) key: bool,
    pub(crate) if_match: bool,
    pub(crate) body: Option<Body>,
    content: Content,
}

/// A handler without its type, so that there is one copy of what axum and [`Received`] do for handlers.
#[derive(Clone)]
struct AnyHandler {
    body: BodyKind,
    call: Arc<Handling>,
}

/// A handler and how its arguments are taken.
type Handling = dyn Fn(&mut Received) -> Result<Answering, Problem> + Send + Sync;

/// What handlers return until they have an answer.
type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

impl Handler<(), Server> for AnyHandler {
    type Future = Answering;

    fn call(self, request: Request, server: Server) -> Answering {
        Box::pin(async move {
            let mut received = Received::receive(request, server, self.body).await;
            let answering = (self.call)(&mut received);
            drop(received);
            match answering {
                Ok(answering) => answering.await,
                Err(problem) => problem.into_response(),
            }
        })
    }
}

/// A line of the table.
pub(crate) struct Operation {
    pub(crate) call: Call,
    pub(crate) path: &'static str,
    pub(crate) who: Who,
    /// The statuses that it may have beside the common ones; one below 300 stands for 200.
    pub(crate) statuses: &'static [u16],
    /// A sentence.
    pub(crate) says: &'static str,
    shape: Shape,
    handler: MethodRouter<Server>,
}

impl Operation {
    pub(crate) fn new<A, H: Handle<A>>(
        call: Call,
        path: &'static str,
        who: Who,
        statuses: &'static [u16],
        handler: H,
        says: &'static str,
    ) -> Self {
        let handler = Arc::new(move |received: &mut Received| handler.call(received));
        Self::with_shape(call, path, who, statuses, handler, says, H::shape())
    }

    fn with_shape(
        call: Call,
        path: &'static str,
        who: Who,
        statuses: &'static [u16],
        handler: Arc<Handling>,
        says: &'static str,
        shape: Shape,
    ) -> Self {
        let body = match shape.body {
            None => BodyKind::None,
            Some(Body::Form(_)) => BodyKind::Form,
            Some(Body::Files(..)) => BodyKind::Files,
        };
        let mut handler = on(
            call.filter(),
            AnyHandler {
                body,
                call: handler,
            },
        );
        if let BodyKind::Files = body {
            // A form has fields and perhaps two files.
            handler = handler.layer(DefaultBodyLimit::max(
                2 * upload::MOST_BYTES as usize + (1 << 20),
            ));
        }
        Self {
            call,
            path,
            who,
            statuses,
            says,
            shape,
            handler,
        }
    }
}

/// The router of a table: each address as a page and below [`API`].
pub(crate) fn router(operations: Vec<Operation>) -> Router<Server> {
    operations
        .into_iter()
        .fold(Router::new(), |mut router, operation| {
            let path = format!("{API}{}", operation.path);
            router = router.route(&path, operation.handler.clone());
            if operation.path == "/" {
                router = router.route(API, operation.handler.clone());
            }
            if operation.call != Call::Data {
                router = router.route(operation.path, operation.handler);
            }
            router
        })
}

/// Makes a table: the call, the address, who may call it, further statuses, the handler, and what it does.
macro_rules! operations {
    ($($call:ident $path:literal, $who:ident, [$($status:literal)*], $handler:path, $says:literal;)*) => {
        vec![$($crate::api::Operation::new(
            $crate::api::Call::$call, $path, $crate::api::Who::$who, &[$($status),*], $handler, $says,
        )),*]
    };
}
pub(crate) use operations;

/// What a handler returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an answer of the API",
    note = "handlers return `Shown`, `Done`, `Response`, or a `Result` of one of them with a `Problem`"
)]
pub(crate) trait Output: IntoResponse {
    const CONTENT: Content;
}

impl Output for Shown {
    const CONTENT: Content = Content::View;
}

impl Output for Done {
    const CONTENT: Content = Content::Action;
}

impl Output for Response {
    const CONTENT: Content = Content::File;
}

impl<O: Output> Output for Result<O, Problem> {
    const CONTENT: Content = O::CONTENT;
}

/// A handler whose arguments and answer are known to the API.
pub(crate) trait Handle<A>: Send + Sync + 'static {
    fn shape() -> Shape;
    fn call(&self, received: &mut Received) -> Result<Answering, Problem>;
}

macro_rules! handle {
    ($($argument:ident)*) => {
        impl<F, Answer, O, $($argument),*> Handle<($($argument,)*)> for F
        where
            F: Fn($($argument),*) -> Answer + Send + Sync + 'static,
            Answer: Future<Output = O> + Send + 'static,
            O: Output,
            $($argument: Input,)*
        {
            fn shape() -> Shape {
                #[allow(unused_mut, reason = "handlers without arguments change nothing")]
                let mut shape = Shape { path: None, query: None, key: false, if_match: false, body: None, content: O::CONTENT };
                $($argument::describe(&mut shape);)*
                shape
            }

            #[allow(unused_variables, reason = "handlers without arguments take nothing")]
            fn call(&self, received: &mut Received) -> Result<Answering, Problem> {
                let answer = self($($argument::take(received)?),*);
                Ok(Box::pin(async move { answer.await.into_response() }))
            }
        }
    };
}

handle!();
handle!(A1);
handle!(A1 A2);
handle!(A1 A2 A3);
handle!(A1 A2 A3 A4);
handle!(A1 A2 A3 A4 A5);
handle!(A1 A2 A3 A4 A5 A6);
handle!(A1 A2 A3 A4 A5 A6 A7);
