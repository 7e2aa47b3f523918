/** The server refused this email or its recipient for good; sending it again is no use. */
export class Undeliverable extends Error {}
