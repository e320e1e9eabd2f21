/** The mark `live`: only while requests or records arrive. */
import type { JSX } from 'solid-js'
import { connected } from './live.ts'

export function LiveMark(props: { readonly isArriving: boolean; readonly otherwise: string }): JSX.Element {
  const isLive = () => connected() && props.isArriving
  return (
    <span class="chip live" classList={{ good: isLive(), arriving: isLive() }} role="status">
      {isLive() ? 'live' : connected() ? props.otherwise : 'offline'}
    </span>
  )
}
