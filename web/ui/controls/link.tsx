import { type ComponentProps, type ComponentType, createContext, use } from 'react'
import type { Link as RoutedLink } from 'react-router'

type LinkProps = ComponentProps<typeof RoutedLink>

/** The component that navigates within the app; null on public pages, whose links load documents. */
export const LinkContext = createContext<ComponentType<LinkProps> | null>(null)

/** A link within the site: one of the router in the app, an ordinary one on public pages. */
export function Link(props: LinkProps) {
  const Routed = use(LinkContext)
  // oxlint-disable-next-line react/static-components -- the app provides the same component always
  if (Routed) return <Routed {...props} />
  const { to, ...rest } = props
  const href = typeof to === 'string' ? to : `${to.pathname ?? ''}${to.search ?? ''}${to.hash ?? ''}`
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- its content is among the other properties
  return <a href={href} {...rest} />
}
