/** Another file was opened meanwhile; the page ignores the error of this one. */
export class Superseded extends Error {
  override name = "Superseded";
}
