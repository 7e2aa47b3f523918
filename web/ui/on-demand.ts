import { useEffect, useEffectEvent, useState } from 'react'

/** What is said where it could not be fetched: the way is barred, or the server has newer code by now. */
export const notFetched =
  'This could not be opened. Check your connection or reload the page, then try again.'

/** Code that is fetched when somebody is about to need it. A fetch that failed is tried again by the next need. */
export type OnDemand<Code> = {
  fetch(): Promise<Code>
  /** The code, once it is there. */
  peek(): Code | undefined
  /** For what leads to it: has it fetched as the pointer, the keyboard or a finger comes near. */
  near: { onPointerEnter: () => void; onFocus: () => void }
}

export function onDemand<Code>(load: () => Promise<Code>): OnDemand<Code> {
  let code: Code | undefined
  let fetching: Promise<Code> | undefined

  async function fetch(): Promise<Code> {
    fetching ??= load()
    try {
      code = await fetching
      return code
    } catch (error) {
      fetching = undefined
      throw error
    }
  }

  function fetchAhead() {
    fetch().catch(() => undefined) // who then needs it fetches it again, and hears of it
  }

  return { fetch, peek: () => code, near: { onPointerEnter: fetchAhead, onFocus: fetchAhead } }
}

/** The code, undefined until it is there. `onFailed` hears that it could not be fetched. */
export function useOnDemand<Code>(
  { fetch, peek }: OnDemand<Code>,
  onFailed: (error: unknown) => void,
): Code | undefined {
  const code = peek()
  const [, setArrived] = useState(code !== undefined)
  const tellFailed = useEffectEvent(onFailed)

  useEffect(() => {
    let isShown = true
    fetch().then(
      () => isShown && setArrived(true),
      (error: unknown) => isShown && tellFailed(error),
    )
    return () => {
      isShown = false
    }
  }, [fetch])

  return code
}
