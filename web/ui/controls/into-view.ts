/** The ref of something that opens on request: scrolls so that all of it is visible, if it fits. */
export const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })
