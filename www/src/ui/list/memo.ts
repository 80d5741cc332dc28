import { Component, type ComponentType, createElement, type FunctionComponent } from "preact";

/** Draws a component again only when one of its properties is another value. */
export function memo<P extends object>(inner: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Record<string, unknown>;
      const after = next as Record<string, unknown>;
      return Object.keys(after).some((key) => !Object.is(before[key], after[key]));
    }
    override render() {
      return createElement(inner, this.props);
    }
  };
}
