import { render } from "preact";
import { ViewerContext } from "../core/page/hooks";
import { listenToKeys } from "./keys";
import { App } from "./layout";
import { Viewer } from "./store";
import "./style/index.css";

const viewer = new Viewer();
listenToKeys(viewer);
window.addEventListener("hashchange", () => viewer.followLink());

const root = document.getElementById("app");
if (root) {
  render(
    <ViewerContext.Provider value={viewer}>
      <App />
    </ViewerContext.Provider>,
    root,
  );
}
void viewer.start();
