import { useDialog, useViewer } from "../core/page/hooks";
import { Dialog } from "../ui/dialog";

/** One sentence at the foot of the page, which goes away by itself. */
export function Toast() {
  const { links } = useViewer();
  const toast = links.store.state.toast;
  const looking = links.store.state.looking;
  const words = looking === undefined ? toast : `Looking for ${looking.slice(0, 80)}…`;
  return (
    <div class="toast" role="status" data-shown={words ? "true" : "false"}>
      {words}
    </div>
  );
}

/** Where the browser does not let the page copy, the link is shown, ready to be copied by hand. */
export function LinkDialog() {
  return (
    <Dialog {...useDialog("link")} title="Link to this part">
      <Address />
    </Dialog>
  );
}

function Address() {
  const { links } = useViewer();
  const address = links.store.state.address ?? "";
  return (
    <section>
      <label for="link-address">
        This browser did not let the page copy the link. Copy it from here.{links.condition()}
      </label>
      <input
        id="link-address"
        class="link-address"
        autofocus
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
    </section>
  );
}
