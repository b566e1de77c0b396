/** A part that fails says so in its own place; the rest of the page goes on. */
import { Component, type ReactNode } from 'react';

interface Props {
  readonly part: string;
  readonly children: ReactNode;
}

export class Boundary extends Component<Props, { readonly failure: string | null }> {
  override state: { readonly failure: string | null } = { failure: null };

  static getDerivedStateFromError(error: unknown): { failure: string } {
    return { failure: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.failure === null) return this.props.children;
    return (
      <div className="note bad" role="alert">
        The {this.props.part} failed: {this.state.failure.slice(0, 200)}. <button type="button" onClick={() => this.setState({ failure: null })}>Try again</button>
      </div>
    );
  }
}
