//! The runner of wasm-bindgen's tests, which `wasm-pack test` calls.

fn main() {
    env_logger::init();
    let run = wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os());
    if let Err(error) = run {
        eprintln!("error: {error:?}");
        std::process::exit(1);
    }
}
