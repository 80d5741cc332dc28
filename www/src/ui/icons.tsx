/** Line icons of 16 by 16, drawn in the colour of the text around them. */
const PATHS = {
  text: "M3 4h10M3 8h10M3 12h6",
  thought:
    "M8 2.5a4 4 0 0 1 2.4 7.2c-.6.5-.9 1-.9 1.8h-3c0-.8-.3-1.3-.9-1.8A4 4 0 0 1 8 2.5ZM6.5 14h3",
  shell: "M2.5 3.5h11v9h-11zM5 6.5 7 8 5 9.5M8.5 10H11",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  pencil: "m3 13 .7-2.8L10.5 3.4l2.1 2.1-6.8 6.8zM9 5l2 2",
  list: "m2.5 4.5 1 1 1.8-2M2.5 10.5l1 1 1.8-2M8 4.5h5.5M8 11h5.5",
  tool: "M10.2 2.8a3.2 3.2 0 0 0-3 4.4l-4.4 4.4 1.6 1.6 4.4-4.4a3.2 3.2 0 0 0 4.4-3L11 7.2 8.8 5Z",
  step: "M8 2v3.5M8 10.5V14M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  fold: "M2.5 8h11M8 1.5v4M6 3.8 8 5.8l2-2M8 14.5v-4M6 12.2l2-2 2 2",
  branch: "M4.5 2.5v11M4.5 9c0-2 1.5-2.5 3.5-2.5s3.5-.5 3.5-2.5M11.5 2.5V4",
  person:
    "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8ZM2.8 13.5c.5-2.4 2.5-3.8 5.2-3.8s4.7 1.4 5.2 3.8",
  spark: "M8 2l1.4 4.6L14 8l-4.6 1.4L8 14l-1.4-4.6L2 8l4.6-1.4Z",
  retry: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3",
  camera: "M2.5 5h2.7l1-1.5h3.6l1 1.5h2.7v7.5h-11zM8 10.7a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z",
  warning: "M8 2.5 14 13H2zM8 6.5v3M8 11.3v.2",
  chevron: "m6 4 4 4-4 4",
  close: "m4 4 8 8M12 4l-8 8",
  second: "M2.5 3h11v10h-11zM8 3v10",
  export: "M8 2.5v7.5M5 5.2l3-2.7 3 2.7M3 9v4.5h10V9",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7l3.3 3.3",
  globe:
    "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c3.7 3.6 3.7 8.4 0 12M8 2c-3.7 3.6-3.7 8.4 0 12",
  up: "m4 10 4-4 4 4",
  down: "m4 6 4 4 4-4",
  filter: "M2.5 4.5h11M4.5 8h7M6.5 11.5h3",
  open: "M2.5 12.5v-9h4l1.5 2h5.5v7z",
  play: "M5 3.2v9.6L12.5 8Z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  forward: "M4 3.5v9L10 8ZM12.5 3.5v9",
  back: "M12 3.5v9L6 8ZM3.5 3.5v9",
  replay: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3M7 6v4l3-2Z",
  below: "M8 3v9.5M4 8.8l4 4 4-4",
  compact: "M2.5 3.5h11M2.5 6.5h11M2.5 9.5h11M2.5 12.5h7",
  inspect: "M2.5 3h11v10h-11zM9.5 3v10M11.2 5.5h.6M11.2 8h.6",
  help: "M6 6.2a2 2 0 1 1 2.8 1.9c-.6.3-.8.6-.8 1.3M8 11.6v.2M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
