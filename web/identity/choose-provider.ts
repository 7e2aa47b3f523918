import type { IdentityOptions } from '#contract/identity.ts'
import { hostedProvider } from './firebase/hosted-provider.ts'
import { localProvider, type Provider } from './provider.ts'

/** The provider that this server's operator chose. */
export function providerOf(options: IdentityOptions | undefined): Provider {
  return options?.firebase ? hostedProvider(options.firebase) : localProvider
}
