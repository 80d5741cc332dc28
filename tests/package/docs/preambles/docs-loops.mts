export const turn = 1;
export const callsOfTheModel = ["a", "b"].map((id) => ({
  id,
  name: "read",
  arguments: { path: id },
}));
export const run = async (call: { id: string }) => ({
  output: `text of ${call.id}`,
  failed: false,
});
export const tellTheModel = (advice: string | undefined) => console.log(advice);
