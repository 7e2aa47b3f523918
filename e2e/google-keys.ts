// Loaded before the server: where it would fetch Google's keys, it gets those of the tests' stand-in.

const KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

const fetchTruly = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const isKeys = input instanceof URL ? input.href === KEYS : input === KEYS
  return isKeys ? new Response(process.env.TEST_GOOGLE_KEYS) : fetchTruly(input, init)
}
