# A small image of the service: compiled in one stage, installed in another, run as nobody special.
#
#   docker build -t solstis-ai .
#   docker run --rm -p 50051:50051 solstis-ai
#   docker run --rm -p 50051:50051 -p 8080:8080 solstis-ai serve --host 0.0.0.0 --web-port 8080

FROM python:3.12-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY pyproject.toml setup.py README.md ./
COPY solstis_ai ./solstis_ai
RUN python -m venv /opt/solstis-ai \
    && /opt/solstis-ai/bin/pip install --no-cache-dir ".[web]" \
    && find /opt/solstis-ai -name "*.c" -delete

FROM python:3.12-slim-bookworm
RUN useradd --system --uid 10001 --no-create-home solstis
COPY --from=build /opt/solstis-ai /opt/solstis-ai
ENV PATH="/opt/solstis-ai/bin:$PATH" PYTHONUNBUFFERED=1
USER 10001
EXPOSE 50051 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s \
    CMD ["solstis-ai", "health", "127.0.0.1:50051"]
ENTRYPOINT ["solstis-ai"]
CMD ["serve", "--host", "0.0.0.0", "--port", "50051"]
