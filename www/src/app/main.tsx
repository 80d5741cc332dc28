import { render } from "preact";
import { ViewerContext } from "../core/page/hooks";
import { FeaturesContext } from "../core/page/slot";
import { FEATURES } from "../features/page";
import { listenToKeys } from "./keys";
import { App } from "./layout";
import { Viewer } from "./store";
import "./style/index.css";

const viewer = new Viewer();
listenToKeys(viewer.page);
window.addEventListener("hashchange", () => viewer.followLink());

const root = document.getElementById("app");
if (root) {
  render(
    <FeaturesContext.Provider value={FEATURES}>
      <ViewerContext.Provider value={viewer.page}>
        <App />
      </ViewerContext.Provider>
    </FeaturesContext.Provider>,
    root,
  );
}
void viewer.start();
