//! Stands in for the HTTP client with which wasm-pack asks for newer versions: every request is refused.

use std::fmt;

/// Starts to describe a client.
pub fn builder() -> AgentBuilder {
    AgentBuilder
}

/// Describes a client.
pub struct AgentBuilder;

/// A client.
pub struct Agent;

/// A request.
pub struct Request {
    url: String,
}

/// An answer: there is none.
pub enum Response {}

/// Why there is no answer.
#[derive(Debug)]
pub struct Error {
    url: String,
}

impl AgentBuilder {
    /// Has no effect.
    pub fn try_proxy_from_env(self, _does: bool) -> Self {
        self
    }

    /// Has no effect.
    pub fn user_agent(self, _name: &str) -> Self {
        self
    }

    /// The client.
    pub fn build(self) -> Agent {
        Agent
    }
}

impl Agent {
    /// A request to this address.
    pub fn get(&self, url: &str) -> Request {
        Request { url: url.to_owned() }
    }
}

impl Request {
    /// Has no effect.
    pub fn set(self, _header: &str, _value: &str) -> Self {
        self
    }

    /// Refuses.
    pub fn call(self) -> Result<Response, Error> {
        Err(Error { url: self.url })
    }
}

impl Response {
    /// The status.
    pub fn status(&self) -> u16 {
        match *self {}
    }

    /// The body as JSON.
    pub fn into_json<T: serde::de::DeserializeOwned>(self) -> std::io::Result<T> {
        match self {}
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not asked: this wasm-pack does not use the network", self.url)
    }
}

impl std::error::Error for Error {}
