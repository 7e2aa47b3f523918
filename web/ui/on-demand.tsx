import { type ComponentType, createElement, type ReactNode, useEffect, useEffectEvent, useState } from 'react'

/** The message when the code cannot be loaded: the network failed, or the server has a newer build. */
export const loadFailed =
  'This could not be opened. Check your connection or reload the page, then try again.'

/** A component that is loaded on demand. A failed load is retried the next time. */
export type OnDemand<Props> = {
  fetch: () => Promise<unknown>
  /** Returns the component once it is loaded. */
  peek: () => ComponentType<Props> | undefined
  /** Handlers for the control that opens it: preload it when the pointer or the focus arrives. */
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

  function preload() {
    fetch().catch(() => undefined) // using it loads it again and reports a failure
  }

  return { fetch, peek: () => component, near: { onPointerEnter: preload, onFocus: preload } }
}

type FetchedProps<Props> = {
  of: OnDemand<Props>
  with: Props
  /** Rendered until it is loaded. */
  fallback: ReactNode
  /** Called when it cannot be loaded. */
  onFailed: (error: unknown) => void
}

/** Renders a component that is loaded on demand. */
export function Fetched<Props extends object>(props: FetchedProps<Props>) {
  const { of: component, fallback } = props
  const { fetch } = component
  const loaded = component.peek()
  const [, setLoaded] = useState(loaded !== undefined)
  const reportFailure = useEffectEvent(props.onFailed)

  useEffect(() => {
    let isMounted = true
    fetch().then(
      () => isMounted && setLoaded(true),
      (error: unknown) => isMounted && reportFailure(error),
    )
    return () => {
      isMounted = false
    }
  }, [fetch])

  return loaded ? createElement(loaded, props.with) : fallback
}
