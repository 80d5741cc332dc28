//! wasm-pack, without its search for a newer version.

use clap::Parser;
use wasm_pack::{Cli, PBAR, command::run_wasm_pack};

fn main() {
    env_logger::init();
    let arguments = Cli::parse();
    PBAR.set_log_level(arguments.log_level);
    if arguments.quiet {
        PBAR.set_quiet(true);
    }
    if let Err(error) = run_wasm_pack(arguments.cmd) {
        eprintln!("Error: {error:?}");
        std::process::exit(1);
    }
}
