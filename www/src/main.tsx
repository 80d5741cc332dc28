import { render } from "preact";
import { listenToKeys } from "./state/keys";
import { Viewer } from "./state/viewer";
import { App } from "./view/app";
import { ViewerContext } from "./view/context";
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
