/** The URL path of the event stream of a signed-in person: `text/event-stream`, authorized by the bearer token in the header. */
export const EVENTS_PATH = '/api/events'
