/**
 * The header that carries `Bearer <token>` instead of `Authorization`, which a proxy with a password takes for itself. In a
 * response, `expected` asks browsers to use it.
 */
export const OWN_AUTHORIZATION = 'x-milepost-authorization'
export const EXPECTED = 'expected'
