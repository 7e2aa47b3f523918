/** Where a signed-in person's events flow: `text/event-stream`, with the bearer token in the header as ever. */
export const EVENTS_PATH = '/api/events'
