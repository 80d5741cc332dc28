// A promise with the functions that settle it.

export function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  return made;
}
