/** The server refused this letter or its recipient for good; sending it again is no use. */
export class Undeliverable extends Error {}
