//! What servers of the Model Context Protocol send, made fit for models: names, URIs, definitions of tools,
//! results. No client and no clock.

pub(crate) mod invisible;
