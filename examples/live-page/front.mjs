// What stands in front of several servers: passes each request to the first that answers. In production this is
// nginx, Caddy or a load balancer; nothing here is special to runs.
import { request as ask, createServer } from "node:http";

/** @param {number[]} ports of servers on this machine */
export function front(ports, port = 0) {
  const pass = (request, response, [first, ...others]) => {
    if (first === undefined) return response.writeHead(503).end();
    const { method, url: path, headers } = request;
    const passed = ask({ host: "127.0.0.1", port: first, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
      // A server that dies in the middle: the browser's connection ends too, and it comes back.
      answer.on("error", () => response.destroy());
      answer.on("aborted", () => response.destroy());
    });
    passed.on("error", () => {
      if (response.headersSent) response.destroy();
      else pass(request, response, others);
    });
    response.on("close", () => passed.destroy());
    passed.end();
  };
  const server = createServer((request, response) => pass(request, response, ports));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: `http://127.0.0.1:${server.address().port}/`, close });
    });
  });
}
