// Maps that forget what is oldest.

/** Sets an entry as the newest one; of more than `most`, the oldest goes. */
export function putNewest(map, key, value, most) {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value);
}
