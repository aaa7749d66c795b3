// Everything of boardprint, and the functions of FormatConverter.js by their own names.

export * from './api.js';
export { default } from './api.js';
export * from './compat.js';
