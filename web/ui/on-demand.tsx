import { type ComponentType, createElement, type ReactNode, useEffect, useEffectEvent, useState } from 'react'

/** What is said where it could not be fetched: the way is barred, or the server has newer code by now. */
export const notFetched =
  'This could not be opened. Check your connection or reload the page, then try again.'

/** A component that is fetched when somebody is about to need it. A fetch that failed is tried again by the next need. */
export type OnDemand<Props> = {
  fetch: () => Promise<unknown>
  /** The component, once it is there. */
  peek: () => ComponentType<Props> | undefined
  /** For what leads to it: has it fetched as the pointer, the keyboard or a finger comes near. */
  near: { onPointerEnter: () => void; onFocus: () => void }
}

export function onDemand<Props>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let component: ComponentType<Props> | undefined
  let fetching: Promise<ComponentType<Props>> | undefined

  async function fetch() {
    fetching ??= load()
    try {
      component = await fetching
    } catch (error) {
      fetching = undefined
      throw error
    }
  }

  function fetchAhead() {
    fetch().catch(() => undefined) // who then needs it fetches it again, and hears of it
  }

  return { fetch, peek: () => component, near: { onPointerEnter: fetchAhead, onFocus: fetchAhead } }
}

type FetchedProps<Props> = {
  of: OnDemand<Props>
  with: Props
  /** In its place until it is there. */
  coming: ReactNode
  /** It could not be fetched. */
  onFailed: (error: unknown) => void
}

/** Shows a component that is fetched on demand. */
export function Fetched<Props extends object>(props: FetchedProps<Props>) {
  const { of: component, coming } = props
  const { fetch } = component
  const there = component.peek()
  const [, setThere] = useState(there !== undefined)
  const tellFailed = useEffectEvent(props.onFailed)

  useEffect(() => {
    let isShown = true
    fetch().then(
      () => isShown && setThere(true),
      (error: unknown) => isShown && tellFailed(error),
    )
    return () => {
      isShown = false
    }
  }, [fetch])

  return there ? createElement(there, props.with) : coming
}
