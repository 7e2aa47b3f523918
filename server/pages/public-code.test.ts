import { expect, it } from 'vitest'

type Route = { module: string; imports?: string[] }
type Build = { assets: { routes: Record<string, Route> } }

const SERVER = new URL('../../build/server/index.js', import.meta.url).href

it.each(['identity/sign-in/login-screen', 'identity/sign-in/register-screen'])(
  'a visitor of %s loads no code of the signed-in screens',
  async (id) => {
    const { assets }: Build = await import(/* @vite-ignore */ SERVER)
    const route = assets.routes[id]
    expect(route?.imports?.length).toBeGreaterThan(0)
    expect([route?.module, ...(route?.imports ?? [])].filter((url) => url?.includes('signed-in'))).toEqual([])
  },
)
