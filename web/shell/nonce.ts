import { createContext, useContext } from 'react'

/** The nonce of the page that is being rendered; in the browser, which hides it, it reads as empty. */
export const NonceContext = createContext('')

export const useNonce = () => useContext(NonceContext)
