import { useServerOptions } from '#web/api/server-options.ts'

/** Returns what people call the issuer with which they can sign in: Google, unless another one replaces it. */
export const useIssuerName = (): string => useServerOptions()?.identity.issuerName ?? 'Google'
