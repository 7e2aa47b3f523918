import { createContext, use } from 'react'
import type { Location } from 'react-router'

export const NextLocation = createContext<Location | null>(null)

/** Returns the target of the pending navigation, even while it waits for the code of its screen; null if there is none. */
export const useNextLocation = (): Location | null => use(NextLocation)
