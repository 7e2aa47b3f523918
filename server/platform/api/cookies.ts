import { parseCookie, stringifySetCookie } from 'cookie'

type Attributes = {
  name: string
  /** The address of the server: under https, the name gets the prefix `__Secure-`. */
  publicUrl: string
  path: string
  maxAgeSeconds: number
}

/** A cookie that scripts cannot read and other sites do not send. */
export type Cookie = {
  name: string
  /** Returns its value in the `Cookie` header of a request. */
  read: (header: string | undefined) => string | undefined
  /** Returns the `Set-Cookie` header with a value. */
  set: (value: string) => string
  /** Returns the `Set-Cookie` header that deletes it. */
  clear: () => string
}

export function defineCookie({ name: plain, publicUrl, path, maxAgeSeconds }: Attributes): Cookie {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? `__Secure-${plain}` : plain
  const attributes = { name, path, httpOnly: true, sameSite: 'lax', secure } as const
  return {
    name,
    read: (header) => readCookies(header)[name],
    set: (value) => stringifySetCookie({ ...attributes, value, maxAge: maxAgeSeconds }),
    clear: () => stringifySetCookie({ ...attributes, value: '', maxAge: 0 }),
  }
}

/** Returns the cookies of a `Cookie` header by their names. */
export const readCookies = (header: string | undefined) => parseCookie(header ?? '')
