package dev.agenthealth.emulator.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Remembers how far a stream mapping has come, so that a restart goes on there. */
public interface Checkpoint {

    /** The position stored last; the beginning when there is none. */
    StreamPosition load();

    /** Everything up to the position has been dealt with. */
    void store(StreamPosition position);

    /** Remembers nothing beyond the mapping itself, for a stream that does not outlive the process. */
    static Checkpoint none() {
        return new Checkpoint() {
            @Override
            public StreamPosition load() {
                return StreamPosition.BEGINNING;
            }

            @Override
            public void store(StreamPosition position) {
                // The stream ends with the process, and so does any position in it.
            }
        };
    }

    /** Remembers in a file, which is replaced whole. */
    static Checkpoint in(Path file) {
        return new Checkpoint() {
            @Override
            public StreamPosition load() {
                try {
                    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
                    return lines.size() == 2
                            ? new StreamPosition(lines.get(0), lines.get(1))
                            : StreamPosition.BEGINNING;
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot read " + file, e);
                }
            }

            @Override
            public void store(StreamPosition position) {
                Path next = file.resolveSibling(file.getFileName() + ".next");
                String text = position.shardId() + "\n" + position.sequenceNumber() + "\n";
                try {
                    Files.writeString(next, text, StandardCharsets.UTF_8);
                    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot write " + file, e);
                }
            }
        };
    }
}
