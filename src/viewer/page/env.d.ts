declare module '*?worker&inline' {
  const Inline: new () => Worker
  export default Inline
}
declare module '*.css'
