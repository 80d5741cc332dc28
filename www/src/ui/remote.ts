/**
 * The address of something on the web, or undefined for any other.
 *
 * The page's policy lets it load nothing from another origin, not even on a click, so that no
 * transcript can find a way to tell that it is being read. Such an address opens in a tab of
 * its own, which knows neither this page (`noopener`) nor its address (`no-referrer`); the host is
 * named before anyone goes there.
 */
export function remoteAddress(source: string): URL | undefined {
  if (!/^https?:\/\//i.test(source) || !URL.canParse(source)) return undefined;
  const url = new URL(source);
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}
