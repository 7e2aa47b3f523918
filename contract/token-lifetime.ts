/** The lifetime of an application token. Separate from the texts of signing in, which a page needs only to sign somebody in. */
export const TOKEN_SECONDS = 60 * 60
