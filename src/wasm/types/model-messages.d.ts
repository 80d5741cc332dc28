/** How `toModelMessage` writes messages. */
export interface ModelMessageOptions {
    /** The major version of the AI SDK that takes them; by default 6. Version 7 gets its custom parts back too. */
    sdk?: 6 | 7;
}
