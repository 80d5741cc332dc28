// Packages without declarations of their own, which pages import.
declare module "express" {
  interface Request {
    params: Record<string, string>;
  }
  interface Response {
    sendStatus(code: number): void;
  }
  export type Handler = (request: Request, response: Response, next: () => void) => void;
  interface App {
    get(path: string, ...handlers: Handler[]): App;
    post(path: string, ...handlers: Handler[]): App;
  }
  export default function express(): App;
}
