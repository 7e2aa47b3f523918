// Zod would try `eval` when it is loaded: the policy forbids it, and every attempt would be reported. Import this before zod.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
