/** The URL path of a signed-in person's events: `text/event-stream`, with the bearer token in the header as usual. */
export const EVENTS_PATH = '/api/events'
