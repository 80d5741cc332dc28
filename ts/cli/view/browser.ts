/** The browser of the person at this machine. */
import { spawn } from "node:child_process";
import type { Env } from "../colour.ts";
import { faultOf } from "../output.ts";

/** The machine that a browser is opened on: by default this one. */
interface Machine {
  env?: Env;
  platform?: NodeJS.Platform;
}

/** The program that opens an address. None goes through a shell, to which `&` in an address would be an operator. */
function opener(platform: NodeJS.Platform): [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

/**
 * Is there somebody who would see a browser? Not over SSH, whose browser would open elsewhere, not in continuous
 * integration, and not without a display.
 */
export function hasBrowser({
  env = process.env,
  platform = process.platform,
}: Machine = {}): boolean {
  if (env.CI || env.SSH_CONNECTION) return false;
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Opens an address in the default browser; resolves to why it could not be opened, if it could not. */
export function openInBrowser(
  url: string,
  { platform = process.platform, env = process.env }: Machine = {},
): Promise<string | undefined> {
  const [command, ...args] = opener(platform);
  return new Promise((done) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true, env });
    child.on("error", (error) => {
      const { code, message } = faultOf(error);
      done(code === "ENOENT" ? `there is no ${command}` : message);
    });
    child.on("exit", (code) => done(code === 0 ? undefined : `${command} ended with ${code}`));
    // It may run for as long as the browser does; this program can end before it.
    child.unref();
  });
}
